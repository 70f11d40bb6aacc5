"""An S3-compatible store on loopback (moto's server), with one bucket."""

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
import httpx
from botocore.config import Config
from moto.server import ThreadedMotoServer

BUCKET = "podcast"
KEYS = {"S3_ACCESS_KEY_ID": "AKIAEXAMPLEEXAMPLE00", "S3_SECRET_ACCESS_KEY": "secret/Example+Key"}
REGION = "eu-central-1"


@dataclass
class Store:
    url: str
    client: Any
    server: ThreadedMotoServer

    @property
    def settings(self) -> dict[str, str]:
        """The environment of a site that keeps its media here."""
        return {
            "MEDIA_STORE": f"s3://{BUCKET}/media",
            "S3_ENDPOINT_URL": self.url,
            "S3_REGION": REGION,
            **KEYS,
        }

    def open_to_all(self) -> None:
        """Let anybody read the bucket, as its owner would by a policy."""
        statement = {
            "Effect": "Allow",
            "Principal": "*",
            "Action": ["s3:GetObject", "s3:HeadObject"],  # Amazon counts HEAD as GetObject
            "Resource": f"arn:aws:s3:::{BUCKET}/*",
        }
        policy = {"Version": "2012-10-17", "Statement": [statement]}
        self.client.put_bucket_policy(Bucket=BUCKET, Policy=json.dumps(policy))

    def head(self, name: str) -> dict:
        """What the store knows of a media file; raises ClientError when it is not there."""
        return self.client.head_object(Bucket=BUCKET, Key=f"media/{name}")


@contextmanager
def running_store():
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    httpx.post(f"{url}/moto-api/reset").raise_for_status()  # moto's memory is the process's
    client = boto3.client(
        "s3",
        endpoint_url=url,
        region_name=REGION,
        aws_access_key_id=KEYS["S3_ACCESS_KEY_ID"],
        aws_secret_access_key=KEYS["S3_SECRET_ACCESS_KEY"],
        config=Config(s3={"addressing_style": "path"}),
    )
    client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    try:
        yield Store(url, client, server)
    finally:
        client.close()
        server.stop()
