-- By host: what was lost there, and the most resident memory of one process.
SELECT
  host,
  count(DISTINCT process) AS processes,
  count(DISTINCT service) AS services,
  cast(sum(CASE WHEN what IN ('kind', 'type') THEN lost ELSE 0 END) AS bigint) AS lost,
  cast(sum(CASE WHEN what IN ('kind', 'type') THEN lost_bytes ELSE 0 END) AS bigint) AS lost_bytes,
  cast(sum(CASE WHEN what IN ('kind', 'type') THEN forgotten ELSE 0 END) AS bigint) AS forgotten,
  max(CASE WHEN what = 'process' AND name = 'resident' THEN bytes END) AS most_resident
FROM windows
GROUP BY host
ORDER BY lost_bytes DESC, lost DESC, forgotten DESC, most_resident DESC, host
LIMIT :top
