/**
 * The dialects by the names that commands know them by, with what they need from outside the core: readers for the JSON
 * that some systems keep in annotations.
 *
 * <pre>{@code
 * NamedDialect hami = Dialects.find("hami").orElseThrow();
 * DialectScheduler scheduler = DialectScheduler.of(hami.dialect());
 * }</pre>
 */
@NullMarked
package io.gpusched.manifests.dialect;

import org.jspecify.annotations.NullMarked;
