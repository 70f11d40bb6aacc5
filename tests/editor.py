"""An editor without a browser: signs in and posts the desk's own forms over HTTP."""

import httpx
from lxml import html

from tests.running import PASSWORD


class Editor:
    """Errors of the connection pass through; `submit` says what the desk answered."""

    def __init__(self, url: str, timeout: float = 30):
        self.http = httpx.Client(base_url=url, timeout=timeout)
        page = self.http.get("/admin/login/")
        self.http.post(
            "/admin/login/",
            data={
                "username": "editor",
                "password": PASSWORD,
                "csrfmiddlewaretoken": self._token(page),
            },
            headers={"Referer": f"{url}/admin/login/"},
        )
        assert self.http.get("/admin/").status_code == 200

    def form(self, path: str) -> dict:
        """The values a browser would send back from the page's change form."""
        page = html.fromstring(self.http.get(path).raise_for_status().text)
        form = next(f for f in page.forms if f.get("id", "").endswith("_form"))
        return {name: value for name, value in form.form_values() if not name.startswith("_")}

    def submit(self, path: str, changes: dict, files: dict | None = None) -> httpx.Response:
        """Open the form at `path`, change and save it. 302 is success, 200 a refusal."""
        data = self.form(path) | changes
        files = {name: (file[0], file[1]) for name, file in (files or {}).items()}
        for name in files:
            data.pop(name, None)
        return self.http.post(
            path, data=data, files=files or None, headers={"Referer": f"{self.http.base_url}{path}"}
        )

    def close(self) -> None:
        self.http.close()

    def _token(self, page: httpx.Response) -> str:
        return html.fromstring(page.text).xpath("//input[@name='csrfmiddlewaretoken']/@value")[0]
