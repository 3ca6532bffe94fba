package io.gpusched.simulator;

import java.util.Collection;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/**
 * A mean over several runs and how sure it is.
 *
 * @param mean the mean
 * @param deviation the standard deviation of a single run (n - 1), NaN for one run
 * @param halfWidth half the width of the 95 % confidence interval of the mean (Student's t), NaN for one run
 * @param runs how many runs, at least 1
 */
public record Estimate(double mean, double deviation, double halfWidth, int runs) {
    private static final double TWO_SIDED_95 = 0.975;
    private static final double MOST_PERCENT = 100;

    /**
     * Returns the estimate from these values.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Estimate of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("estimate: at least one value expected, got none");
        }
        DescriptiveStatistics statistics = new DescriptiveStatistics();
        values.forEach(statistics::addValue);
        int runs = values.size();
        if (runs == 1) {
            return new Estimate(statistics.getMean(), Double.NaN, Double.NaN, 1);
        }
        double deviation = statistics.getStandardDeviation();
        double quantile = new TDistribution(runs - 1).inverseCumulativeProbability(TWO_SIDED_95);
        return new Estimate(statistics.getMean(), deviation, quantile * deviation / Math.sqrt(runs), runs);
    }

    /**
     * Returns the lower end of the confidence interval of a percentage: Student's interval knows no bounds, a percentage is
     * in 0..100. NaN for one run.
     */
    public double lowPercent() {
        return Math.max(mean - halfWidth, 0);
    }

    /** Returns the upper end of the confidence interval of a percentage, at most 100; NaN for one run. */
    public double highPercent() {
        return Math.min(mean + halfWidth, MOST_PERCENT);
    }
}
