"""Teaches the AWS emulator (MiniStack) the CloudFormation types of our template that it does not know.

Python runs this file by itself when it is on its path, before the emulator starts. The template is deployed as it
was synthesised; a resource that the emulator does not implement becomes a no-op, and is written to $MAYFLY_LEFT_OUT,
one per line, which the run prints. Assertions on the template check these resources instead.
"""

import contextvars
import hashlib
import inspect
import json
import os
import string
import sys


def teach():
    from ministack.services import ses
    from ministack.services.cloudformation import provisioners

    handlers = provisioners._RESOURCE_HANDLERS
    arn = "arn:aws:{}:us-east-1:000000000000:{}".format

    def left_out(kind, logical_id):
        path = os.environ.get("MAYFLY_LEFT_OUT")
        if path:
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"{kind} {logical_id}\n")

    def no_op(kind, attributes=()):
        short = kind.rsplit("::", 1)[1].lower()

        def described(physical_id):
            return {name: f"{physical_id}-{name}" for name in attributes} | {"Arn": arn(short, physical_id)}

        def create(logical_id, properties, stack_name):
            left_out(kind, logical_id)
            digest = hashlib.sha256(f"{stack_name}/{logical_id}".encode()).hexdigest()[:16]
            physical_id = f"{short}-{digest}"
            return physical_id, described(physical_id)

        def update(physical_id, old, new, stack_name):
            return physical_id, described(physical_id)

        return {"create": create, "update": update, "delete": lambda physical_id, properties: None}

    # Receipt rules go to the emulator's own SES, which has the API but not the CloudFormation types.
    def flattened(value, prefix=""):
        if isinstance(value, dict):
            pairs = ((f"{prefix}.{key}" if prefix else key, item) for key, item in value.items())
        elif isinstance(value, list):
            pairs = ((f"{prefix}.member.{i}", item) for i, item in enumerate(value, 1))
        else:
            return {prefix: [str(value).lower() if isinstance(value, bool) else str(value)]}
        return {key: leaf for name, item in pairs for key, leaf in flattened(item, name).items()}

    def call_ses(action, parameters):
        status, _, body = getattr(ses, action)(flattened(parameters))
        if status >= 400:
            raise ValueError(f"{action}: {body!r}")

    def create_rule_set(logical_id, properties, stack_name):
        call_ses("_create_receipt_rule_set", {"RuleSetName": properties["RuleSetName"]})
        return properties["RuleSetName"], {}

    def create_rule(logical_id, properties, stack_name):
        call_ses("_create_receipt_rule", {"RuleSetName": properties["RuleSetName"], "Rule": properties["Rule"]})
        return properties["Rule"]["Name"], {}

    def delete_rule(physical_id, properties):
        call_ses("_delete_receipt_rule", {"RuleSetName": properties["RuleSetName"], "RuleName": physical_id})

    added = {
        "AWS::SES::ReceiptRuleSet": {
            "create": create_rule_set,
            "delete": lambda name, properties: call_ses("_delete_receipt_rule_set", {"RuleSetName": name}),
        },
        "AWS::SES::ReceiptRule": {"create": create_rule, "delete": delete_rule},
        "AWS::CloudFront::VpcOrigin": no_op("AWS::CloudFront::VpcOrigin", ("Id",)),
        "AWS::EC2::SecurityGroupIngress": no_op("AWS::EC2::SecurityGroupIngress", ("Id",)),
        "AWS::EC2::SecurityGroupEgress": no_op("AWS::EC2::SecurityGroupEgress", ("Id",)),
    }
    for kind, handler in added.items():
        handlers.setdefault(kind, handler)

    # An alarm on an expression is refused: these, and only these, are no-ops.
    alarm = handlers["AWS::CloudWatch::Alarm"]
    create_alarm, update_alarm, no_alarm = alarm["create"], alarm["update"], no_op("AWS::CloudWatch::Alarm")

    def create_any_alarm(logical_id, properties, stack_name):
        create = no_alarm["create"] if properties.get("Metrics") else create_alarm
        return create(logical_id, properties, stack_name)

    def update_any_alarm(physical_id, old, new, stack_name, *logical_id):
        if new.get("Metrics"):
            return no_alarm["update"](physical_id, old, new, stack_name)
        return update_alarm(physical_id, old, new, stack_name, *logical_id)

    alarm["create"], alarm["update"] = create_any_alarm, update_any_alarm

    # Where the test's file is there, no function can be given its queue: a deployment that fails half-way. The emulator
    # makes a stack's resources one after the other, and most of them before these.
    mapping = handlers["AWS::Lambda::EventSourceMapping"]
    create_mapping = mapping["create"]

    def create_mapping_or_fail(logical_id, properties, stack_name):
        file = os.environ.get("MAYFLY_FAILS")
        if file and os.path.exists(file):
            raise ValueError("the test wants it to fail")
        return create_mapping(logical_id, properties, stack_name)

    mapping["create"] = create_mapping_or_fail

    # An identity has no DKIM attributes: these are made up.
    identity = handlers["AWS::SES::EmailIdentity"]

    def with_dkim(provision):
        def provision_with_dkim(*args):
            physical_id, attributes = provision(*args)
            for i in (1, 2, 3):
                token = hashlib.sha256(f"{physical_id}{i}".encode()).hexdigest()[:32]
                attributes[f"DkimDNSTokenName{i}"] = f"{token}._domainkey.{physical_id}"
                attributes[f"DkimDNSTokenValue{i}"] = f"{token}.dkim.amazonses.com"
            return physical_id, attributes

        return provision_with_dkim

    for step in ("create", "update"):
        if step in identity:
            identity[step] = with_dkim(identity[step])

    # A bucket's tags are dropped; by one of them CDK's own function knows that it may empty the bucket.
    from ministack.services import s3

    bucket = handlers["AWS::S3::Bucket"]
    create_bucket = bucket["create"]

    def create_bucket_with_tags(logical_id, properties, stack_name):
        name, attributes = create_bucket(logical_id, properties, stack_name)
        s3._bucket_tags[name] = {tag["Key"]: tag["Value"] for tag in properties.get("Tags", [])}
        return name, attributes

    bucket["create"] = create_bucket_with_tags

    # ExcludePunctuation is ignored, and the secret is sent as a header.
    secret_string = provisioners._sm_secret_string

    def without_punctuation(properties):
        generate = properties.get("GenerateSecretString")
        if not generate or not generate.get("ExcludePunctuation"):
            return secret_string(properties)
        excluded = generate.get("ExcludeCharacters", "") + string.punctuation
        return secret_string({**properties, "GenerateSecretString": {**generate, "ExcludeCharacters": excluded}})

    provisioners._sm_secret_string = without_punctuation

    # A reference to a secret is its ARN (AWS::SecretsManager::Secret, return values); the emulator gives its name.
    secret = handlers["AWS::SecretsManager::Secret"]
    create_secret, delete_secret = secret["create"], secret["delete"]

    def create_secret_by_arn(logical_id, properties, stack_name):
        _, attributes = create_secret(logical_id, properties, stack_name)
        return attributes["Arn"], attributes

    def delete_secret_by_arn(physical_id, properties):
        # The ARN ends in the name, a hyphen and six characters.
        delete_secret(physical_id.rsplit(":", 1)[1][:-7], properties)

    secret["create"], secret["delete"] = create_secret_by_arn, delete_secret_by_arn

    # Policies are checked, and ours refuse plain HTTP, which is all that the emulator speaks.
    from ministack.core import iam_evaluator

    condition_key = iam_evaluator._resolve_condition_key

    def over_tls(*args, **kwargs):
        if any(isinstance(arg, str) and arg.lower() == "aws:securetransport" for arg in args):
            return "true"
        return condition_key(*args, **kwargs)

    iam_evaluator._resolve_condition_key = over_tls

    # The policy check does not know the stream of a request (there is only one), and knows the tags neither of a
    # request to SES v2 nor of an identity, which the policies of the stack require. The body has the stream and the
    # tags of a request, and only this function sees the body.
    from ministack.core import iam_actions

    resource_of = iam_actions.extract_resource_arn
    streams = []
    ses_tags = contextvars.ContextVar("ses_tags", default={})

    def resource_from_body(service, method, path, headers, body, *rest):
        if service == "ses" and method == "POST":
            ses_tags.set(iam_actions.request_tag_context("ses", "ses:TagResource", body, {}))
        if service != "dynamodbstreams":
            return resource_of(service, method, path, headers, body, *rest)
        stream = json.loads(body).get("StreamArn")
        if stream:
            streams[:] = [stream]
        return streams[0]

    iam_actions.extract_resource_arn = resource_from_body

    from ministack.services import ses_v2

    enforce = iam_evaluator.enforce

    def enforce_with_tags(access_key, action, service, region, resource_arn="*", service_context=None):
        context = dict(service_context or {})
        if action in ("ses:CreateEmailIdentity", "ses:TagResource"):
            context.update(ses_tags.get())
        if action.startswith("ses:"):
            for tag in ses_v2._ses_tags.get(resource_arn, []):
                context[f"aws:resourcetag/{tag['Key']}".lower()] = tag["Value"]
        return enforce(access_key, action, service, region, resource_arn=resource_arn, service_context=context)

    iam_evaluator.enforce = enforce_with_tags

    # An HTTP API without CORS settings sends a preflight to its routes (docs.aws.amazon.com, http-api-cors.html);
    # the emulator answers it by itself.
    from ministack.services import apigateway

    source = inspect.getsource(apigateway._handle_execute_in_scope)
    preflight = 'if method == "OPTIONS":'
    if preflight not in source:
        raise RuntimeError("the emulator answers preflights in another way: look at it again")
    exec(source.replace(preflight, 'if method == "OPTIONS" and cors_cfg:'), vars(apigateway))


if any(os.path.basename(arg) == "ministack" for arg in sys.orig_argv):
    teach()
