package io.gpusched.dialect.nvidiasmi;

/** Output of {@code nvidia-smi} that cannot be read; the message names the line, counted from 1. */
public final class NvidiaSmiException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    NvidiaSmiException(int line, String problem) {
        super("line " + line + ": " + problem);
    }
}
