"""OpenStack Swift with its S3 API, one process on free ports of the loopback: swift-server.py DIRECTORY

Prints the port of the API, and ends when its standard input ends.
"""
import os
import sys

import eventlet
import eventlet.tpool

eventlet.monkey_patch()

directory = os.path.abspath(sys.argv[1])
os.environ['SWIFT_CONF_FILE'] = os.path.join(directory, 'swift.conf')
devices = os.path.join(directory, 'devices')
os.makedirs(os.path.join(devices, 'd1'))


def write(name, text):
    path = os.path.join(directory, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = laudio\n[storage-policy:0]\nname = zero\ndefault = yes\n')

from eventlet import wsgi
from swift.common import utils
from swift.common.ring import RingBuilder
from swift.common.storage_policy import reload_storage_policies
from swift.common.wsgi import loadapp

utils.validate_hash_conf()
reload_storage_policies()
common = f'devices = {devices}\nmount_check = false\nswift_dir = {directory}\nlog_level = ERROR\ndisable_fallocate = true\n'


def serve(name, text):
    """The listening socket of the app that the text describes."""
    socket = eventlet.listen(('127.0.0.1', 0))
    app = loadapp(write(f'{name}.conf', text))
    eventlet.spawn(wsgi.server, socket, app, log=utils.get_logger({}, name), log_output=False)
    return socket.getsockname()[1]


for name in ('account', 'container', 'object'):
    port = serve(name, f'[DEFAULT]\n{common}[pipeline:main]\npipeline = app\n[app:app]\nuse = egg:swift#{name}\n')
    ring = RingBuilder(2, 1, 0)
    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'd1'})
    ring.rebalance()
    ring.get_ring().save(os.path.join(directory, f'{name}.ring.gz'))

filters = {
    'cache': 'memcache\nmemcache_servers = 127.0.0.1:1',
    's3api': 's3api\ns3_acl = false\nauth_pipeline_check = false',
    'tempauth': 'tempauth\nuser_test_laudio = test-only-secret .admin\nuser_test_reader = test-only-secret',
}
names = 'catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo versioned_writes'.split()
text = f'[DEFAULT]\nswift_dir = {directory}\nlog_level = ERROR\n[pipeline:main]\npipeline = {" ".join(names)} proxy-server\n'
text += '[app:proxy-server]\nuse = egg:swift#proxy\nallow_account_management = true\naccount_autocreate = true\n'
text += ''.join(f'[filter:{name}]\nuse = egg:swift#{filters.get(name, name)}\n' for name in names)
print(serve('proxy', text), flush=True)
eventlet.tpool.execute(sys.stdin.read)
