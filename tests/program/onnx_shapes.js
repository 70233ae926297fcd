// Compare tensor shapes with those ONNX Runtime makes.
// usage: node onnx_shapes.js MODULES MODEL.onnx NAME=AxBxC... <OURS
// OURS is what `whygpu network MODEL.onnx --dump shapes` prints.
// Status: 0 all the same, 1 some differ, 3 the runtime cannot be loaded.
'use strict';
const fs = require('fs');
const [modules, model, ...inputs] = process.argv.slice(2);
let ort;
try {
	ort = require(modules + '/onnxruntime-node');
} catch (e) {
	console.log(e.message);
	process.exit(3);
}

// protobuf: a number, and a field that has a length
function varint(n) {
	const bytes = [];
	for (; n >= 128; n = Math.floor(n / 128))
		bytes.push(n % 128 + 128);
	return Buffer.from([...bytes, n]);
}
function field(number, data) {
	return Buffer.concat([varint(number * 8 + 2), varint(data.length),
	    data]);
}

const options = {graphOptimizationLevel: 'disabled', logSeverityLevel: 3};

// The model with these values as outputs too: a second graph in the file is
// merged into the first.
async function withOutputs(names) {
	const plain = fs.readFileSync(model);
	const s = await ort.InferenceSession.create(plain, options);
	const known = new Set([...s.inputNames, ...s.outputNames]);
	const more = names.filter(n => !known.has(n)).map(n =>
	    field(12, field(1, Buffer.from(n))));
	return ort.InferenceSession.create(Buffer.concat([plain,
	    field(7, Buffer.concat(more))]), options);
}

function tensor(dims) {
	const n = dims.reduce((a, b) => a * b, 1);
	return new ort.Tensor('float32',
	    Float32Array.from({length: n}, (_, i) => Math.sin(i)), dims);
}

async function main() {
	const ours = fs.readFileSync(0, 'utf8').split('\n').filter(l => l)
	    .map(l => l.split('\t'));
	const session = await withOutputs(ours.map(l => l[0]));
	const feeds = {};
	for (const text of inputs) {
		const [name, size] = text.split('=');
		feeds[name] = tensor(size.split('x').map(Number));
	}
	const theirs = await session.run(feeds);
	let same = 0, differ = 0;
	for (const [name, shape] of ours) {
		if (!theirs[name])
			continue;
		const want = theirs[name].dims.join(',');
		if (shape === want) {
			same++;
			continue;
		}
		differ++;
		console.log(`${name}: ${shape}, the runtime has ${want}`);
	}
	console.log(`${same} shapes the same, ${differ} differ`);
	process.exit(differ || same < 100 ? 1 : 0);
}
main().catch(e => {
	console.log(e.message);
	process.exit(1);
});
