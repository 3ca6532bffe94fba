package io.gpusched.cli.job;

import java.util.List;
import java.util.Set;

/** A family of kinds of jobs. */
interface JobKind {
    /** Returns the group of the API that defines them. */
    String apiGroup();

    /** Returns the kinds. */
    Set<String> kinds();

    /**
     * Returns the gangs that a job starts, each by itself.
     *
     * @throws io.gpusched.manifests.yaml.InputException if a field is missing, illegal or not honoured
     */
    List<Gang> read(JobPods job);
}
