-- By version, over time: bytes lost in a bucket, and bytes held at most in it.
SELECT
  service,
  version,
  time_ms,
  cast(sum(lost_bytes) AS bigint) AS lost_bytes,
  cast(sum(held) AS bigint) AS held_bytes,
  count(DISTINCT process) AS processes
FROM (
  SELECT
    service,
    version,
    process,
    name,
    cast(floor(start_ms / :bucket) AS bigint) * :bucket AS time_ms,
    sum(lost_bytes) AS lost_bytes,
    max(bytes) AS held
  FROM windows
  WHERE what = 'kind'
  GROUP BY service, version, process, name, cast(floor(start_ms / :bucket) AS bigint) * :bucket
) AS buckets
GROUP BY service, version, time_ms
ORDER BY service, version, time_ms
