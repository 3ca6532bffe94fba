package io.gpusched.internal.gang;

import io.gpusched.model.Placement;

/** A member with its place. */
record Seat(Gang.Member member, Placement placement) {}
