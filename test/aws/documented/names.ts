/**
 * Resources whose name is unique in an account over all Regions, by the property of their name, each
 * with the page that says so. A second Region needs another name.
 */
export const ACCOUNT_WIDE_NAMES: Record<string, { property: string; page: string }> = {
  'AWS::CloudFront::Function': {
    property: 'Name',
    page: 'cloudfront/latest/APIReference/API_CreateFunction.html',
  },
  'AWS::CloudFront::OriginRequestPolicy': {
    property: 'OriginRequestPolicyConfig.Name',
    page: 'cloudfront/latest/APIReference/API_OriginRequestPolicyConfig.html',
  },
  'AWS::CloudFront::ResponseHeadersPolicy': {
    property: 'ResponseHeadersPolicyConfig.Name',
    page: 'cloudfront/latest/APIReference/API_ResponseHeadersPolicyConfig.html',
  },
  'AWS::CloudFront::OriginAccessControl': {
    property: 'OriginAccessControlConfig.Name',
    page: 'cloudfront/latest/APIReference/API_OriginAccessControlConfig.html',
  },
  'AWS::CloudFront::VpcOrigin': {
    property: 'VpcOriginEndpointConfig.Name',
    page: 'cloudfront/latest/APIReference/API_VpcOriginEndpointConfig.html',
  },
  'AWS::Lambda::WebFunction': { property: 'FunctionName', page: 'lambda/latest/dg/web-functions.html' },
}
