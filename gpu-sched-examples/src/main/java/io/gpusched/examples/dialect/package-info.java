/** What dialects need from outside the core: readers for the JSON that some systems keep in annotations. */
@NullMarked
package io.gpusched.examples.dialect;

import org.jspecify.annotations.NullMarked;
