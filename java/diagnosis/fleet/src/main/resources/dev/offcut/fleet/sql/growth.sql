-- What rose fastest from a process's first window to its last: resident memory, its parts, and kinds.
SELECT
  processes.service AS service,
  processes.version AS version,
  processes.host AS host,
  processes.process AS process,
  what,
  ends.name AS name,
  first_bytes,
  last_bytes,
  cast(last_ms - first_ms AS double) / 3600000 AS hours,
  cast(last_bytes - first_bytes AS double) * 3600000 / (last_ms - first_ms) AS bytes_per_hour
FROM (
  SELECT
    source,
    what,
    name,
    min_by(bytes, start_ms) AS first_bytes,
    max_by(bytes, start_ms) AS last_bytes,
    min(start_ms) AS first_ms,
    max(start_ms) AS last_ms
  FROM windows
  WHERE bytes IS NOT NULL AND what IN ('kind', 'part', 'process')
  GROUP BY source, what, name
) AS ends
JOIN processes ON processes.source = ends.source
WHERE last_ms - first_ms >= 60000 AND last_bytes > first_bytes
ORDER BY bytes_per_hour DESC, service, host, process, what, name
LIMIT :top
