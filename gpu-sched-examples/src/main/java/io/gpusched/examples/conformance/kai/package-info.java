/**
 * Cases of KAI-Scheduler that need no queue: what starts on devices that are cut already.
 */
@NullMarked
package io.gpusched.examples.conformance.kai;

import org.jspecify.annotations.NullMarked;
