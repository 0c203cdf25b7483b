"""Label Common Crawl's columnar index with Spark; run the same command again to go on after a failure.

    spark-submit label_common_crawl.py s3a://commoncrawl/cc-index/table/cc-main/warc/crawl=CC-MAIN-2024-10/ \
        s3a://mine/labelled/ --columns url,url_host_registered_domain,content_languages

See docs/how-to/spark.md, and `python label_common_crawl.py --help` for the options.
"""

import sys

from dragoman.integrations.spark.submit import main

sys.exit(main())
