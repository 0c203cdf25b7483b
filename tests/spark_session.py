"""Sessions of Spark as the tests have them: on loopback, small, with this Python."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    # small work: what compiles longest runs shortest
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def need_spark() -> Any:
    """PySpark, or the module's tests are skipped with the reason."""
    pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'dragoman[spark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not installed", allow_module_level=True)
    if sys.platform == "win32":
        pytest.skip("Spark's local cluster needs a system with symbolic links", allow_module_level=True)
    return pyspark


@contextmanager
def spark_session(master: str, home: Path) -> Iterator[Any]:
    """A session, ended afterwards; what it needs of the environment is there meanwhile."""
    from pyspark.sql import SparkSession

    added = {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "SPARK_HOME": str(home)}
    before = {name: os.environ.get(name) for name in added}
    os.environ |= added
    builder = SparkSession.builder.master(master)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = builder.getOrCreate()
        found.sparkContext.setLogLevel("ERROR")
        yield found
        found.stop()
    for name, old in before.items():
        del os.environ[name]
        os.environ |= {} if old is None else {name: old}
