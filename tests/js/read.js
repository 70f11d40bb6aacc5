// An RSS document on stdin, what podcast-partytime makes of it on stdout as JSON.
import { readFileSync } from "node:fs";
import partytime from "podcast-partytime";

const feed = partytime.parseFeed(readFileSync(0, "utf8"), { allowMissingGuid: false });
process.stdout.write(JSON.stringify(feed));
