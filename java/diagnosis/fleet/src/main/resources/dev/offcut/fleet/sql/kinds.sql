-- By kind and type: what was opened, and how it ended. Counters are exact, but for what = 'native'.
SELECT
  what,
  name,
  cast(sum(opened) AS bigint) AS opened,
  cast(sum(closed) AS bigint) AS closed,
  cast(sum(collected) AS bigint) AS collected,
  cast(sum(lost) AS bigint) AS lost,
  cast(sum(forgotten) AS bigint) AS forgotten,
  cast(sum(opened) - sum(closed) - sum(collected) - sum(lost) - sum(forgotten) AS bigint) AS open,
  cast(sum(opened_bytes) AS bigint) AS opened_bytes,
  cast(sum(lost_bytes) AS bigint) AS lost_bytes
FROM windows
WHERE what IN ('kind', 'type', 'native')
GROUP BY what, name
HAVING sum(opened) > 0
ORDER BY lost_bytes DESC, lost DESC, forgotten DESC, opened DESC, what, name
