-- The lines of the programs that lose most. Estimates; a margin is right 95 times in 100.
SELECT
  service,
  what,
  name,
  line,
  substr(max(lpad(cast(lost + forgotten AS varchar(20)), 20, '0') || stack), 21) AS stack,
  cast(sum(opened) AS bigint) AS opened,
  cast(sum(collected) AS bigint) AS collected,
  cast(sum(lost) AS bigint) AS lost,
  cast(sqrt(sum(coalesce(lost_margin, 0) * 1.0 * coalesce(lost_margin, 0))) AS bigint) AS lost_margin,
  cast(sum(forgotten) AS bigint) AS forgotten,
  cast(sum(lost_bytes) AS bigint) AS lost_bytes,
  cast(sqrt(sum(coalesce(lost_bytes_margin, 0) * 1.0 * coalesce(lost_bytes_margin, 0))) AS bigint) AS lost_bytes_margin,
  cast(sum(open) AS bigint) AS open,
  cast(sum(bytes) AS bigint) AS bytes,
  cast(sum(samples) AS bigint) AS samples,
  count(DISTINCT process) AS processes,
  count(DISTINCT host) AS hosts,
  coalesce(
    min_by(version, CASE WHEN lost > 0 OR forgotten > 0 THEN start_ms END),
    min_by(version, start_ms)
  ) AS first_version,
  max_by(version, start_ms) AS last_version,
  coalesce(min(CASE WHEN lost > 0 OR forgotten > 0 THEN start_ms END), min(start_ms)) AS first_ms,
  max(start_ms + length_ms) AS last_ms
FROM sites
WHERE line <> '' AND (lost > 0 OR forgotten > 0 OR open > 0 OR collected > 0)
GROUP BY service, what, name, line
ORDER BY coalesce(sum(lost_bytes), 0) DESC, sum(lost) DESC, sum(forgotten) DESC, coalesce(sum(bytes), 0) DESC,
  sum(open) DESC, sum(collected) DESC, service, what, name, line
LIMIT :top
