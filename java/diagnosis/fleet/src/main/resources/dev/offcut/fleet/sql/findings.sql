-- What the reports of the processes say, by service and place.
SELECT
  service,
  severity,
  name,
  line,
  count(DISTINCT process) AS processes,
  count(DISTINCT host) AS hosts,
  cast(sum(bytes) AS bigint) AS bytes,
  substr(max(lpad(cast(bytes AS string), 20, '0') || title), 21) AS title,
  substr(min(lpad(cast(start_ms AS string), 20, '0') || version), 21) AS first_version
FROM findings
WHERE severity <> 'LIMIT'
GROUP BY service, severity, name, line
ORDER BY bytes DESC, processes DESC, service, severity, name NULLS FIRST, line NULLS FIRST
LIMIT :top
