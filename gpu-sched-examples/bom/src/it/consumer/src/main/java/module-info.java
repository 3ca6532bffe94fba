module consumer {
    requires io.gpusched.core;
    requires io.gpusched.dialects;
    requires io.gpusched.json;
    requires io.gpusched.simulator;
}
