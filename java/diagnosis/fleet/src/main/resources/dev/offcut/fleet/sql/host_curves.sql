-- By host, over time: resident memory of its processes at most in a bucket.
SELECT
  host,
  time_ms,
  cast(sum(resident) AS bigint) AS resident
FROM (
  SELECT
    host,
    process,
    cast(floor(start_ms / :bucket) AS bigint) * :bucket AS time_ms,
    max(bytes) AS resident
  FROM windows
  WHERE what = 'process' AND name = 'resident'
  GROUP BY host, process, cast(floor(start_ms / :bucket) AS bigint) * :bucket
) AS buckets
GROUP BY host, time_ms
ORDER BY host, time_ms
