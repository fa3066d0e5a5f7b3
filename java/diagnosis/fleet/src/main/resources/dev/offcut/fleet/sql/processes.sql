-- The processes that lost most.
SELECT
  processes.process AS process,
  processes.service AS service,
  processes.version AS version,
  processes.host AS host,
  processes.pid AS pid,
  processes.main AS main,
  processes.jdk AS jdk,
  processes.start_ms AS start_ms,
  processes.until_ms AS until_ms,
  processes.complete AS complete,
  processes.ending AS ending,
  processes.name AS name,
  cast(coalesce(sum(sites.lost), 0) AS bigint) AS lost,
  cast(coalesce(sum(sites.forgotten), 0) AS bigint) AS forgotten,
  cast(coalesce(sum(sites.lost_bytes), 0) AS bigint) AS lost_bytes
FROM processes
LEFT JOIN sites ON sites.process = processes.process
GROUP BY
  processes.process,
  processes.service,
  processes.version,
  processes.host,
  processes.pid,
  processes.main,
  processes.jdk,
  processes.start_ms,
  processes.until_ms,
  processes.complete,
  processes.ending,
  processes.name
ORDER BY lost_bytes DESC, lost DESC, forgotten DESC, start_ms DESC, process
LIMIT :top
