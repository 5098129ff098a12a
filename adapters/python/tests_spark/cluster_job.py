"""A build on local-cluster[2,1,1024], whose tasks say that they have begun: cluster_job.py SOURCE FOLDER KEYS OUT"""

import os
import pathlib
import sys
import time

from conftest import session
from pyspark import TaskContext

from bloomery import spark as bs
from bloomery.spark import recipe


class Marked(recipe.Recipe):
    """Leaves a file for each attempt, and takes some time, so that one can be killed in between."""

    def parts(self, columns):
        for part in super().parts(columns):
            context = TaskContext.get()
            stage = f"{context.stageId()}_{context.partitionId()}"
            (pathlib.Path(self.marks) / f"mark-{stage}-{context.attemptNumber()}-{context.taskAttemptId()}").touch()
            time.sleep(0.3)
            yield part


def main():
    source, folder, keys, out = sys.argv[1:]
    marks = os.getcwd()
    spark = session("local-cluster[2,1,1024]", pathlib.Path(marks) / "local", **{
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
        "spark.sql.files.maxPartitionBytes": "1m",  # a task for each file, of a DataFrame too
    })
    # As build_filter makes it, but for the marks.
    from bloomery.spark import build, tree

    tree.DRIVER_BYTES = 0  # all parts are united on the executors
    plain = build.recipe_of

    def marked(*words):
        r = plain(*words)
        m = Marked(r.kind, r.capacity, r.fpr, r.integers, r.options)
        object.__setattr__(m, "marks", marks)
        return m

    build.recipe_of = marked
    f = bs.build_filter(folder if source == "files" else spark.read.parquet(folder), "k", int(keys), 0.01,
                        **({"tasks": 16} if source == "files" else {}))
    f.save(out)
    spark.stop()


if __name__ == "__main__":
    main()
