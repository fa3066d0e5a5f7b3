-- By service and version: how many processes, and what they lost. Counters are exact.
WITH lost AS (
  SELECT
    service,
    version,
    sum(opened) AS opened,
    sum(collected) AS collected,
    sum(lost) AS lost,
    sum(lost_bytes) AS lost_bytes,
    sum(forgotten) AS forgotten
  FROM windows
  WHERE what IN ('kind', 'type')
  GROUP BY service, version
),
ran AS (
  SELECT
    service,
    version,
    count(*) AS processes,
    count(DISTINCT host) AS hosts,
    cast(sum(until_ms - start_ms) AS double) / 3600000 AS hours,
    min(start_ms) AS first_ms,
    max(until_ms) AS last_ms
  FROM processes
  GROUP BY service, version
)
SELECT
  ran.service AS service,
  ran.version AS version,
  ran.processes AS processes,
  ran.hosts AS hosts,
  ran.hours AS hours,
  ran.first_ms AS first_ms,
  ran.last_ms AS last_ms,
  cast(coalesce(lost.opened, 0) AS bigint) AS opened,
  cast(coalesce(lost.collected, 0) AS bigint) AS collected,
  cast(coalesce(lost.lost, 0) AS bigint) AS lost,
  cast(coalesce(lost.lost_bytes, 0) AS bigint) AS lost_bytes,
  cast(coalesce(lost.forgotten, 0) AS bigint) AS forgotten
FROM ran
LEFT JOIN lost ON lost.service = ran.service AND lost.version = ran.version
ORDER BY lost_bytes DESC, lost DESC, forgotten DESC, service, first_ms, version
