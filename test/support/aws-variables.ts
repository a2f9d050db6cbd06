/**
 * What Lambda sets for every function: the region and the credentials. Servers of a test have endpoints of their own;
 * a call to any other service of AWS is refused, and does not leave this machine.
 */
export const AWS_VARIABLES = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
}
