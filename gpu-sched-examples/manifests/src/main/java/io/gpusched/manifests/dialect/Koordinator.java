package io.gpusched.manifests.dialect;

import io.gpusched.dialect.koordinator.KoordinatorDialect;

/** Koordinator's dialect, with the resources that it reads. */
public final class Koordinator {
    private Koordinator() {}

    /** Returns it. */
    public static NamedDialect dialect() {
        return new NamedDialect(KoordinatorDialect.of(JsonValues::of), KoordinatorDialect.resources());
    }
}
