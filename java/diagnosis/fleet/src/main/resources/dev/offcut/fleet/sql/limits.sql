-- What the processes could not see: because of it something may be lost that no figure has.
SELECT
  title AS sentence,
  count(DISTINCT process) AS processes,
  count(DISTINCT service) AS services,
  min(service) AS service
FROM findings
WHERE severity = 'LIMIT'
GROUP BY title
ORDER BY processes DESC, sentence
