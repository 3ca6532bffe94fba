/** What the benchmarks work on: shapes of pods, packed clusters and their churn. */
package io.gpusched.bench.load;
