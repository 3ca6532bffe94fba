package io.gpusched.internal.gang;

import io.gpusched.model.Placement;

/** A member with its place. */
record Seat(Member member, Placement placement) {}
