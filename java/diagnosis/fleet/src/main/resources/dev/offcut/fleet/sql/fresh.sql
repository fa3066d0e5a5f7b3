-- Lines that lose something, and did not before the day :since, in services that ran before that day.
SELECT
  *
FROM (
  SELECT
    sites.service AS service,
    sites.what AS what,
    sites.name AS name,
    sites.line AS line,
    substr(max(lpad(cast(sites.lost + sites.forgotten AS string), 20, '0') || sites.stack), 21) AS stack,
    cast(sum(sites.lost) AS bigint) AS lost,
    cast(sum(sites.forgotten) AS bigint) AS forgotten,
    cast(sum(sites.lost_bytes) AS bigint) AS lost_bytes,
    count(DISTINCT sites.process) AS processes,
    substr(min(lpad(cast(sites.start_ms AS string), 20, '0') || sites.version), 21) AS first_version,
    min(sites.start_ms) AS first_ms
  FROM sites
  JOIN (SELECT service, min(date) AS first_day FROM processes GROUP BY service) AS known
    ON known.service = sites.service
  WHERE known.first_day < cast(:since AS date) AND sites.line <> '' AND (sites.lost > 0 OR sites.forgotten > 0)
  GROUP BY sites.service, sites.what, sites.name, sites.line
  HAVING min(sites.date) >= cast(:since AS date)
) AS sums
ORDER BY coalesce(lost_bytes, 0) DESC, lost DESC, forgotten DESC, service, what, name, line
LIMIT :top
