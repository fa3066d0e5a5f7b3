-- What the processes of the two sides could not see: where a side did not look, its figures say nothing.
WITH sides AS (
  SELECT
    process,
    CASE WHEN {side} = :from THEN 'before' ELSE 'after' END AS side
  FROM processes
  WHERE {side} = :from OR {side} = :to
)
SELECT
  findings.title AS sentence,
  count(DISTINCT CASE WHEN sides.side = 'before' THEN findings.process END) AS processes_before,
  count(DISTINCT CASE WHEN sides.side = 'after' THEN findings.process END) AS processes_after,
  count(DISTINCT findings.service) AS services,
  min(findings.service) AS service
FROM findings
JOIN sides ON sides.process = findings.process
WHERE findings.severity = 'LIMIT'
GROUP BY findings.title
ORDER BY processes_before + processes_after DESC, sentence
