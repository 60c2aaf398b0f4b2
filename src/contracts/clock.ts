/** The clock is a port: a simulated month costs seconds. Milliseconds are the finest grain that is stored. */
export type Clock = () => Date;
