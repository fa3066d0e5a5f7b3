-- The lines of the programs that lose most. Estimates; a margin is right 95 times in 100.
SELECT
  service,
  what,
  name,
  line,
  stack,
  opened,
  collected,
  lost,
  cast(floor(sqrt(cast(lost_margin AS double)) + 0.5) AS bigint) AS lost_margin,
  forgotten,
  lost_bytes,
  cast(floor(sqrt(cast(lost_bytes_margin AS double)) + 0.5) AS bigint) AS lost_bytes_margin,
  open,
  bytes,
  samples,
  processes,
  hosts,
  first_version,
  last_version,
  first_ms,
  last_ms
FROM (
  SELECT
    service,
    what,
    name,
    line,
    substr(max(lpad(cast(lost + forgotten AS string), 20, '0') || stack), 21) AS stack,
    cast(sum(opened) AS bigint) AS opened,
    cast(sum(collected) AS bigint) AS collected,
    cast(sum(lost) AS bigint) AS lost,
    sum(cast(coalesce(lost_margin, 0) AS decimal(19, 0)) * cast(coalesce(lost_margin, 0) AS decimal(19, 0))) AS lost_margin,
    cast(sum(forgotten) AS bigint) AS forgotten,
    cast(sum(lost_bytes) AS bigint) AS lost_bytes,
    sum(cast(coalesce(lost_bytes_margin, 0) AS decimal(19, 0)) * cast(coalesce(lost_bytes_margin, 0) AS decimal(19, 0))) AS lost_bytes_margin,
    cast(sum(open) AS bigint) AS open,
    cast(sum(bytes) AS bigint) AS bytes,
    cast(sum(samples) AS bigint) AS samples,
    count(DISTINCT process) AS processes,
    count(DISTINCT host) AS hosts,
    substr(
      coalesce(
        min(CASE WHEN lost > 0 OR forgotten > 0 THEN lpad(cast(start_ms AS string), 20, '0') || version END),
        min(lpad(cast(start_ms AS string), 20, '0') || version)
      ),
      21
    ) AS first_version,
    substr(max(lpad(cast(start_ms AS string), 20, '0') || version), 21) AS last_version,
    coalesce(min(CASE WHEN lost > 0 OR forgotten > 0 THEN start_ms END), min(start_ms)) AS first_ms,
    max(start_ms + length_ms) AS last_ms
  FROM sites
  WHERE line <> '' AND (lost > 0 OR forgotten > 0 OR open > 0 OR collected > 0)
  GROUP BY service, what, name, line
) AS sums
ORDER BY coalesce(lost_bytes, 0) DESC, lost DESC, forgotten DESC, coalesce(bytes, 0) DESC, open DESC, collected DESC,
  service, what, name, line
LIMIT :top
