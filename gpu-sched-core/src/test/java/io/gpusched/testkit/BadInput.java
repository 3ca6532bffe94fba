package io.gpusched.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * An input that is refused, and the one message that says why.
 *
 * @param message the whole message
 * @param call what is tried
 */
public record BadInput(String message, ThrowingCallable call) {
    /** Fails unless the input is refused with exactly this message. */
    public void check() {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Override
    public String toString() {
        return message;
    }
}
