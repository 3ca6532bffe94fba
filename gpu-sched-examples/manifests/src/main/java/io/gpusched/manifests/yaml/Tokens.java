package io.gpusched.manifests.yaml;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The tokens of a text, JSON or YAML, one after the other. */
interface Tokens {
    /** What a token is. */
    enum Type {
        /** A mapping begins: names and values follow in turn. */
        MAPPING,
        /** A list begins. */
        LIST,
        /** A mapping or list ends. */
        END,
        /** The name of a member that stands for the members of the mapping, or list of mappings, that follows. */
        MERGE,
        /** A value that contains itself. */
        CYCLE,
        /** A name or a text. */
        TEXT,
        /** A number that is not quoted. */
        NUMBER,
        /** A truth value that is not quoted. */
        TRUTH,
        /** Null. */
        NOTHING
    }

    /**
     * Goes to the next token.
     *
     * @return what it is; null at the end of the text
     * @throws InputException if the text is not in its language
     * @throws IOException if it cannot be read
     */
    @Nullable
    Type next() throws IOException;

    /** Returns what the current token says, as written. */
    String text() throws IOException;

    /** Returns the line of the current token, from 1. */
    int line();

    /** Returns whether the current token stands elsewhere in the text, and an alias for it here. */
    default boolean isAliased() {
        return false;
    }

    /** Returns the exception that values are nested too deeply. */
    InputException tooDeep();
}
