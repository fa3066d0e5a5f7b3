-- By kind and type, what was lost per hour of a process, before and after. Counters are exact.
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
    windows.what AS what,
    windows.name AS name,
    sum(CASE WHEN sides.side = 'before' THEN windows.lost + windows.forgotten ELSE 0 END) AS lost_before,
    sum(CASE WHEN sides.side = 'after' THEN windows.lost + windows.forgotten ELSE 0 END) AS lost_after,
    sum(CASE WHEN sides.side = 'before' THEN windows.lost_bytes ELSE 0 END) AS bytes_before,
    sum(CASE WHEN sides.side = 'after' THEN windows.lost_bytes ELSE 0 END) AS bytes_after
  FROM windows
  JOIN sides ON sides.process = windows.process
  WHERE windows.what IN ('kind', 'type')
  GROUP BY windows.what, windows.name
)
SELECT
  sums.what AS what,
  sums.name AS name,
  cast(sums.lost_before AS bigint) AS lost_before,
  cast(sums.lost_after AS bigint) AS lost_after,
  cast(coalesce(sums.bytes_before / nullif(ran.hours_before, 0), 0) AS double) AS bytes_per_hour_before,
  cast(coalesce(sums.bytes_after / nullif(ran.hours_after, 0), 0) AS double) AS bytes_per_hour_after
FROM sums
CROSS JOIN ran
WHERE sums.lost_before > 0 OR sums.lost_after > 0
ORDER BY bytes_per_hour_after - bytes_per_hour_before DESC, lost_after DESC, what, name
