-- By line, what was lost per hour of a process, before and after: what became more comes first. Estimates.
WITH sides AS (
  SELECT
    process,
    CASE WHEN {side} = :from THEN 'before' ELSE 'after' END AS side,
    until_ms - start_ms AS ms
  FROM processes
  WHERE {side} = :from OR {side} = :to
),
ran AS (
  SELECT
    cast(sum(CASE WHEN side = 'before' THEN ms ELSE 0 END) AS double) / 3600000 AS hours_before,
    cast(sum(CASE WHEN side = 'after' THEN ms ELSE 0 END) AS double) / 3600000 AS hours_after
  FROM sides
),
sums AS (
  SELECT
    sites.service AS service,
    sites.what AS what,
    sites.name AS name,
    sites.line AS line,
    sum(CASE WHEN sides.side = 'before' THEN sites.lost + sites.forgotten ELSE 0 END) AS lost_before,
    sum(CASE WHEN sides.side = 'after' THEN sites.lost + sites.forgotten ELSE 0 END) AS lost_after,
    sum(CASE WHEN sides.side = 'before' THEN coalesce(sites.lost_bytes, 0) ELSE 0 END) AS bytes_before,
    sum(CASE WHEN sides.side = 'after' THEN coalesce(sites.lost_bytes, 0) ELSE 0 END) AS bytes_after
  FROM sites
  JOIN sides ON sides.process = sites.process
  WHERE sites.line <> ''
  GROUP BY sites.service, sites.what, sites.name, sites.line
)
SELECT
  CASE
    WHEN sums.lost_before = 0 THEN 'new'
    WHEN sums.lost_after = 0 THEN 'gone'
    WHEN sums.lost_after / nullif(ran.hours_after, 0) > sums.lost_before / nullif(ran.hours_before, 0) THEN 'more'
    ELSE 'less'
  END AS change,
  sums.service AS service,
  sums.what AS what,
  sums.name AS name,
  sums.line AS line,
  cast(sums.lost_before AS bigint) AS lost_before,
  cast(sums.lost_after AS bigint) AS lost_after,
  cast(coalesce(sums.bytes_before / nullif(ran.hours_before, 0), 0) AS double) AS bytes_per_hour_before,
  cast(coalesce(sums.bytes_after / nullif(ran.hours_after, 0), 0) AS double) AS bytes_per_hour_after
FROM sums
CROSS JOIN ran
WHERE sums.lost_before > 0 OR sums.lost_after > 0
ORDER BY bytes_per_hour_after - bytes_per_hour_before DESC, lost_after DESC, service, what, name, line
LIMIT :top
