/**
 * Replaces the SDK client with which the custom resource of CDK looks up the prefix list of
 * CloudFront: the emulator has no managed prefix lists, and this package is no dependency of the
 * project.
 */
exports.EC2 = class EC2 {}
exports.EC2Client = class EC2Client {
  config = { region: async () => 'us-east-1' }

  async send(command) {
    return command.answer()
  }
}
exports.DescribeManagedPrefixListsCommand = class DescribeManagedPrefixListsCommand {
  constructor(input) {
    this.input = input
  }

  answer() {
    const [{ Name, Values }] = this.input.Filters
    if (Name !== 'prefix-list-name') throw new Error(`no such filter: ${Name}`)
    return { PrefixLists: [{ PrefixListName: Values[0], PrefixListId: 'pl-0123456789abcdef0' }] }
  }
}
