/**
 * Replaces the SDK client with which the custom resource of CDK creates the role of ECS: this
 * package is no dependency of the project. The account has the role already.
 */
exports.IAM = class IAM {}
exports.IAMClient = class IAMClient {
  config = { region: async () => 'us-east-1' }

  async send(command) {
    return command.answer()
  }
}
exports.CreateServiceLinkedRoleCommand = class CreateServiceLinkedRoleCommand {
  constructor(input) {
    this.input = input
  }

  answer() {
    if (this.input.AWSServiceName !== 'ecs.amazonaws.com') throw new Error('no such service')
    throw Object.assign(new Error('Service role name AWSServiceRoleForECS has been taken in this account'), {
      name: 'InvalidInputException',
      code: 'InvalidInput',
    })
  }
}
