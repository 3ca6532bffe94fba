package io.gpusched.conformance.cross;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.conformance.VectorCase;
import java.util.Set;

/** Answers the {@code cross-system} cases, one situation put to many systems, for some systems and policies. */
public interface CrossSystemAnswer {
    /** Returns the pairs it answers for, such as {@code nano-gpu/binpack}. */
    Set<String> pairs();

    /** Returns what that system with that policy does: an object with {@code fits} and {@code gpusPerContainer}. */
    JsonNode answer(String pair, VectorCase vector);
}
