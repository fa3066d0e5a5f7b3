-- What the fleet has.
SELECT
  count(*) AS processes,
  count(DISTINCT host) AS hosts,
  count(DISTINCT service) AS services,
  min(start_ms) AS first_ms,
  max(until_ms) AS last_ms,
  cast(sum(windows) AS bigint) AS windows,
  cast(sum(CASE WHEN complete THEN 0 ELSE 1 END) AS bigint) AS incomplete,
  cast(max(date) AS varchar(10)) AS last_day
FROM processes
