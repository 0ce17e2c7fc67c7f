"""A browser to look at pages with, and what it says of them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver to look at the page"
)
ARGUMENTS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


def started(profile: Path) -> webdriver.Chrome:
    """Return a browser that keeps its files in a folder of the test."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(str(DRIVER)))


def opened_page(browser: webdriver.Chrome, path: Path, ready: str) -> webdriver.Chrome:
    """Open a page, and wait until a script says that it is ready."""
    for kind in ("browser", "performance"):
        browser.get_log(kind)  # what was before is forgotten
    look(browser)
    browser.get(path.as_uri())
    wait(browser, f"return {ready}")
    return browser


def look(
    browser: webdriver.Chrome, *, scheme: str = "light", width: int = 1400, media: str = ""
) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    emulated = {"media": media, "features": features}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", emulated)
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def wait(browser: webdriver.Chrome, script: str) -> Any:
    return WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(script))


def assert_quiet(browser: webdriver.Chrome) -> None:
    """Hold that the page that was opened said nothing ill and asked for nothing from outside."""
    timing = "return performance.getEntriesByType('navigation')[0].loadEventEnd"
    print(f"loaded in {wait(browser, timing):.0f} ms")

    assert [e for e in browser.get_log("browser") if e["level"] in ("SEVERE", "WARNING")] == []
    logged = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {
        message["params"]["request"]["url"].split(":")[0]
        for message in logged
        if message["method"] == "Network.requestWillBeSent"
        # Chromium's own documents ask for other things.
        and message["params"]["documentURL"].startswith("file:")
    }
    assert "file" in asked
    assert asked <= {"file", "data", "blob", "chrome"}
