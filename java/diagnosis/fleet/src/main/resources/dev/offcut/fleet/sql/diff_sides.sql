-- The processes of the two sides of a comparison.
SELECT
  CASE WHEN {side} = :from THEN 'before' ELSE 'after' END AS side,
  count(*) AS processes,
  cast(sum(until_ms - start_ms) AS double) / 3600000 AS hours
FROM processes
WHERE {side} = :from OR {side} = :to
GROUP BY CASE WHEN {side} = :from THEN 'before' ELSE 'after' END
ORDER BY side DESC
