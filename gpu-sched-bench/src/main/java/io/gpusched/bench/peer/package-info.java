/** What a user would have otherwise: loops of one's own over arrays and over objects, and Netflix Fenzo. */
package io.gpusched.bench.peer;
