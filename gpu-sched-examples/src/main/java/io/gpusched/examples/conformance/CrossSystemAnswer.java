package io.gpusched.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Answers the {@code cross-system} cases, one situation put to many systems, for some systems and policies. */
interface CrossSystemAnswer {
    /** Returns the pairs it answers for, such as {@code nano-gpu/binpack}. */
    Set<String> pairs();

    /** Returns what that system with that policy does: an object with {@code fits} and {@code gpusPerContainer}. */
    JsonNode answer(String pair, VectorCase vector);
}
