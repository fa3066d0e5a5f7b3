-- Lines that lose something, and did not before the day :since, in services that ran before that day.
SELECT
  sites.service AS service,
  sites.what AS what,
  sites.name AS name,
  sites.line AS line,
  substr(max(lpad(cast(sites.lost + sites.forgotten AS varchar(20)), 20, '0') || sites.stack), 21) AS stack,
  cast(sum(sites.lost) AS bigint) AS lost,
  cast(sum(sites.forgotten) AS bigint) AS forgotten,
  cast(sum(sites.lost_bytes) AS bigint) AS lost_bytes,
  count(DISTINCT sites.process) AS processes,
  min_by(sites.version, sites.start_ms) AS first_version,
  min(sites.start_ms) AS first_ms
FROM sites
JOIN (SELECT service, min(date) AS first_day FROM processes GROUP BY service) AS known
  ON known.service = sites.service
WHERE known.first_day < cast(:since AS date) AND sites.line <> '' AND (sites.lost > 0 OR sites.forgotten > 0)
GROUP BY sites.service, sites.what, sites.name, sites.line
HAVING min(sites.date) >= cast(:since AS date)
ORDER BY coalesce(sum(sites.lost_bytes), 0) DESC, sum(sites.lost) DESC, sum(sites.forgotten) DESC, service, what, name, line
LIMIT :top
