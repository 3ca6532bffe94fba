package io.gpusched.conformance;

/**
 * A case and what became of it.
 *
 * @param id the case's name
 * @param system whose expectation it is
 * @param kind what is asked
 * @param advice {@code match}, {@code optional} or {@code avoid}
 * @param outcome what became of it
 */
public record CaseResult(String id, String system, String kind, String advice, Outcome outcome) {}
