-- By host: what was lost there, and the most resident memory of one process.
SELECT
  processes.host AS host,
  count(DISTINCT processes.process) AS processes,
  count(DISTINCT processes.service) AS services,
  cast(coalesce(sum(sums.lost), 0) AS bigint) AS lost,
  cast(coalesce(sum(sums.lost_bytes), 0) AS bigint) AS lost_bytes,
  cast(coalesce(sum(sums.forgotten), 0) AS bigint) AS forgotten,
  max(sums.most_resident) AS most_resident
FROM processes
LEFT JOIN (
  SELECT
    source,
    sum(CASE WHEN what <> 'process' THEN lost ELSE 0 END) AS lost,
    sum(CASE WHEN what <> 'process' THEN lost_bytes ELSE 0 END) AS lost_bytes,
    sum(CASE WHEN what <> 'process' THEN forgotten ELSE 0 END) AS forgotten,
    max(CASE WHEN what = 'process' AND name = 'resident' THEN bytes END) AS most_resident
  FROM windows
  WHERE what IN ('kind', 'type', 'process')
  GROUP BY source
) AS sums ON sums.source = processes.source
GROUP BY processes.host
ORDER BY lost_bytes DESC, lost DESC, forgotten DESC, most_resident DESC, host
LIMIT :top
