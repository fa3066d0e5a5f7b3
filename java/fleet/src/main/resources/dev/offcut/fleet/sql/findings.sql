-- What the reports of the processes say, by service and place.
SELECT
  service,
  severity,
  name,
  line,
  count(DISTINCT process) AS processes,
  count(DISTINCT host) AS hosts,
  cast(sum(bytes) AS bigint) AS bytes,
  substr(max(lpad(cast(bytes AS varchar(20)), 20, '0') || title), 21) AS title,
  min_by(version, start_ms) AS first_version
FROM findings
WHERE severity <> 'LIMIT'
GROUP BY service, severity, name, line
ORDER BY bytes DESC, processes DESC, service, severity, name, line
LIMIT :top
