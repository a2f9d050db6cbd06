/**
 * What AWS documents of Application Load Balancers and no emulator shows. Each rule names its page,
 * below docs.aws.amazon.com/elasticloadbalancing/latest/application/.
 */

/**
 * The metric that counts a 5xx answer: those of the balancer itself (no healthy target, a time-out)
 * are not those of its targets (load-balancer-cloudwatch-metrics.html).
 */
export function metricOf5xx(answeredBy: 'balancer' | 'target'): string {
  return answeredBy === 'balancer' ? 'HTTPCode_ELB_5XX_Count' : 'HTTPCode_Target_5XX_Count'
}

/**
 * The balancer closes a connection that is idle for this time. The target must keep its connections
 * for longer, or the balancer answers 502 (load-balancer-troubleshooting.html).
 */
export function isKeptLonger(idleSeconds: number, keepAliveMs: number): boolean {
  return keepAliveMs / 1000 > idleSeconds
}
