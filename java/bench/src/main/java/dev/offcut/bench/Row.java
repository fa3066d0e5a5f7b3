package dev.offcut.bench;

/**
 * One measured value, as it stands in the JSON.
 *
 * @param series what it is about
 * @param version of the implementation
 * @param value the median of the rounds
 * @param unit of value and spread
 * @param spread half the distance between the quartiles of the rounds
 */
record Row(Series series, String version, double value, String unit, double spread) {}
