package io.gpusched.dialect;

import java.util.Objects;

/** A request that a system's own rules forbid, whatever the cluster; the message states the rule. */
public final class RefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String rule;

    /**
     * Creates the exception.
     *
     * @param what what is refused, such as {@code pod "a", container "main"}
     * @param rule the rule, with the offending value
     */
    public RefusedException(String what, String rule) {
        super(Objects.requireNonNull(what, "what") + ": " + Objects.requireNonNull(rule, "rule"));
        this.rule = rule;
    }

    /** Returns the rule alone. */
    public String rule() {
        return rule;
    }
}
