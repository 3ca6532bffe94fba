/**
 * The vocabularies of real systems, translated to and from the library's.
 *
 * <p>Begin at {@link io.gpusched.dialect.Dialect}.
 */
module io.gpusched.dialects {
    requires transitive io.gpusched.core;
    requires java.xml;
    requires static transitive org.jspecify;

    exports io.gpusched.dialect.aliyun;
    exports io.gpusched.dialect.dra;
    exports io.gpusched.dialect.elasticgpu;
    exports io.gpusched.dialect.gaia;
    exports io.gpusched.dialect.hami.registration;
    exports io.gpusched.dialect.hami.vendor;
    exports io.gpusched.dialect.hami;
    exports io.gpusched.dialect.kai;
    exports io.gpusched.dialect.koordinator;
    exports io.gpusched.dialect.nanogpu;
    exports io.gpusched.dialect.nvidia;
    exports io.gpusched.dialect.nvidiasmi;
    exports io.gpusched.dialect.slurm;
    exports io.gpusched.dialect.t9k;
    exports io.gpusched.dialect.vgpu;
    exports io.gpusched.dialect.volcano;
    exports io.gpusched.dialect;
}
