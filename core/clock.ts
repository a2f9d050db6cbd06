/** Unix time in ms. */
export type Clock = () => number
