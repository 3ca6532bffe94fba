/** What is made of the results: CPU time per operation and the tables of the performance page. */
package io.gpusched.bench.report;
